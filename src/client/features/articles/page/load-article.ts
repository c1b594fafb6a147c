import { type Article, articleBySlug } from '#domain/article.ts';
import { articles } from '../list/articles.ts';
import { parseFrontMatter } from '../markdown/front-matter.ts';

// Each text is a file of its own: reading one article does not load the other five.
const files = import.meta.glob<string>('../content/*.md', { query: '?raw', import: 'default' });

/** The article of an address with its text; null when there is none. */
export async function loadArticle(slug: string): Promise<Article | null> {
  const summary = articleBySlug(articles, slug);
  const load = files[`../content/${slug}.md`];
  if (!summary || !load) return null;
  const { content, sources } = parseFrontMatter(await load());
  return { ...summary, content, sources };
}
