import { type ArticleSummary, articleCategories } from '#domain/article.ts';

/** An article file: its front matter fields, its sources, and the Markdown below. */
export interface FrontMatter {
  fields: Readonly<Record<string, string>>;
  sources: readonly string[];
  content: string;
}

const fieldLine = /^([a-zA-Z]+): (\S.*)$/;
const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const sourceLine = /^ {2}- (\S.*)$/;

/** Parses `key: value` lines and the list of sources between two `---`. Throws on anything else. */
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
    else throw new Error(`Invalid line in the front matter: ${line}`);
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

/** The summary in an article's front matter. Throws when a field is missing, unknown or malformed. */
export function articleSummary(file: string): ArticleSummary {
  const { id, title, slug, category, excerpt, published, readTimeMinutes, ...unknown } =
    parseFrontMatter(file).fields;
  const categoryId = articleCategories.find((known) => known.id === category)?.id;
  const [unknownField] = Object.keys(unknown);
  if (unknownField) throw new Error(`Unknown field in the front matter: ${unknownField}`);
  if (!title || !slug || !categoryId || !excerpt || !published || !dayPattern.test(published)) {
    throw new Error(`Missing or malformed field in the front matter of ${slug ?? title}`);
  }
  return {
    id: positiveInteger(id),
    title,
    slug,
    categoryId,
    excerpt,
    publishedDate: published,
    readTimeMinutes: positiveInteger(readTimeMinutes),
  };
}

function positiveInteger(text: string | undefined): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) {
    throw new Error(`Not a positive integer in the front matter: ${text}`);
  }
  return value;
}
