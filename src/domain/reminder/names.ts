const maxShown = 3;
const maxNameLength = 40;

/** A plant's name for a message, shortened to 40 characters. */
export function shortName(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= maxNameLength) return name;
  return `${characters
    .slice(0, maxNameLength - 1)
    .join('')
    .trimEnd()}…`;
}

/** 'Monty', 'Monty and Fern', 'Monty, Fern and Basil', 'Monty, Fern, Basil and 4 more'; '' for none. */
export function namesText(names: readonly string[]): string {
  const shown = names.slice(0, maxShown).map(shortName);
  const hidden = names.length - shown.length;
  const parts = hidden > 0 ? [...shown, `${hidden} more`] : shown;
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
