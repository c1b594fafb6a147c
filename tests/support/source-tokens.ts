/** A piece of code; comments, spaces and the text of templates and regular expressions are left out. */
export interface Token {
  kind: 'word' | 'string' | 'mark';
  /** Of a string: its contents, without the quotes. */
  text: string;
}

const piece =
  /(?<skip>\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*")|(?<word>[\p{ID_Start}$_\d][\p{ID_Continue}$]*)|(?<mark>[\s\S])/uy;
const regularExpression = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const templateText = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?<end>`|\$\{|$)/y;

/** After these words a slash begins a regular expression; after other words it divides. */
const beforeExpression = new Set(
  'return typeof case in of do else void throw new delete await yield instanceof'.split(' '),
);

/**
 * Cuts TypeScript or JSX into tokens. It need not understand the code, only never take text for code: an apostrophe
 * in JSX text spoils at most the rest of its line.
 */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  /** How many braces are open in each `${…}` that we are inside of. */
  const substitutions: number[] = [];
  let at = 0;

  function match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) at = pattern.lastIndex;
    return found;
  }
  function skipTemplateText(): void {
    if (match(templateText)?.groups?.end === '${') substitutions.push(0);
  }
  function takeMark(mark: string): void {
    const open = substitutions.at(-1);
    const endsSubstitution = mark === '}' && open === 0;
    if (endsSubstitution) substitutions.pop();
    if (mark === '`' || endsSubstitution) {
      skipTemplateText();
      return;
    }
    const deeper = { '{': 1, '}': -1 }[mark];
    if (open !== undefined && deeper) substitutions.splice(-1, 1, open + deeper);
    tokens.push({ kind: 'mark', text: mark });
  }

  while (at < source.length) {
    const { skip, string, word, mark } = match(piece)?.groups ?? {};
    if (skip !== undefined) continue;
    if (string !== undefined) tokens.push({ kind: 'string', text: string.slice(1, -1) });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else if (mark === '/' && mayBeginExpression(tokens.at(-1))) {
      at -= 1;
      if (!match(regularExpression)) at += 1;
    } else if (mark !== undefined) takeMark(mark);
  }
  return tokens;
}

/** A slash after `<` closes a JSX element. */
function mayBeginExpression(before: Token | undefined): boolean {
  if (!before) return true;
  if (before.kind === 'word') return beforeExpression.has(before.text);
  return before.kind === 'mark' && !')]}<'.includes(before.text);
}

/** Whether the code holds these tokens in a row, e.g. `process.env`. */
export function holds(tokens: readonly Token[], ...wanted: string[]): boolean {
  return tokens.some((_, i) =>
    wanted.every((text, k) => tokens[i + k]?.text === text && tokens[i + k]?.kind !== 'string'),
  );
}
