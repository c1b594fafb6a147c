import { type Article, articleBySlug } from '#domain/article.ts';
import { articles } from '../list/articles.ts';
import { parseFrontMatter } from '../markdown/front-matter.ts';

// Each text is a chunk of its own, so that reading one article does not load the others.
const files = import.meta.glob<string>('../content/*.md', { query: '?raw', import: 'default' });

/** The article with this slug, including its text; null when there is none. */
export async function loadArticle(slug: string): Promise<Article | null> {
  const summary = articleBySlug(articles, slug);
  const load = files[`../content/${slug}.md`];
  if (!summary || !load) return null;
  const { content, sources } = parseFrontMatter(await load());
  return { ...summary, content, sources };
}
