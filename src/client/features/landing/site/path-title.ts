/** The last segment of a path in title case, e.g. 'Help Center' for /help-center. */
export function pathTitle(pathname: string): string {
  const segment = pathname.split('/').filter(Boolean).at(-1) ?? '';
  return segment
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
