import type { Page } from 'playwright';

export async function openArticle(page: Page, slug: string): Promise<void> {
  await page.goto(`/dashboard/articles/${slug}`);
  await page.getByRole('link', { name: 'Return to Articles' }).waitFor();
}
