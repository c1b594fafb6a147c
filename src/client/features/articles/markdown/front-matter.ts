/** The head of an article's file, each field as it stands there, and the text below it. */
export interface FrontMatter {
  fields: Readonly<Record<string, string>>;
  sources: readonly string[];
  content: string;
}

const fieldLine = /^([a-zA-Z]+): (\S.*)$/;
const sourceLine = /^ {2}- (\S.*)$/;

/** Reads `key: value` lines and the list of sources between two `---`; throws at whatever else stands there. */
export function parseFrontMatter(file: string): FrontMatter {
  const [opening, ...rest] = file.split('\n');
  const end = rest.indexOf('---');
  if (opening !== '---' || end === -1) throw new Error('An article begins with its front matter');
  const fields: Record<string, string> = {};
  const sources: string[] = [];
  let isInSources = false;
  for (const line of rest.slice(0, end)) {
    const [, source] = sourceLine.exec(line) ?? [];
    const [, key, value] = fieldLine.exec(line) ?? [];
    if (isInSources && source) sources.push(source);
    else if (line === 'sources:' && !isInSources) isInSources = true;
    else if (key && value && !isInSources && !(key in fields)) fields[key] = value;
    else throw new Error(`Not understood in the front matter: ${line}`);
  }
  return {
    fields,
    sources,
    content: rest
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
}
