import fs from 'node:fs';
import type { Plugin } from 'vite';
import { articleSummary } from '../client/features/articles/markdown/front-matter.ts';

const suffix = '?summary';

/**
 * Importing `article.md?summary` gives only the summary from the article's front matter, so that lists of articles do
 * not load the texts.
 */
export function articleSummaries(): Plugin {
  return {
    name: 'sprig-article-summaries',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith(`.md${suffix}`)) return null;
      const file = id.slice(0, -suffix.length);
      this.addWatchFile(file);
      return `export default ${JSON.stringify(articleSummary(fs.readFileSync(file, 'utf8')))}`;
    },
  };
}
