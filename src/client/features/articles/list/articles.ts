import type { ArticleSummary } from '#domain/article.ts';
import { articlePictureUrl } from './article-pictures.ts';

/** What the front matter of content/*.md says: kept here too, so that lists need not load six texts. */
const summaries: readonly ArticleSummary[] = [
  {
    id: 1,
    title: 'Top 10 Low-Maintenance Indoor Plants',
    slug: 'top-10-low-maintenance-indoor-plants',
    categoryId: 'indoor-plants',
    excerpt:
      'Ten forgiving houseplants for dim corners, bright windows and busy weeks, with light, water and temperature needs and a clear note on pet safety.',
    publishedDate: '2026-03-12',
    readTimeMinutes: 5,
  },
  {
    id: 2,
    title: 'The Science of Watering Plants Correctly',
    slug: 'science-of-watering-plants-correctly',
    categoryId: 'plant-care',
    excerpt:
      'Why roots need air as much as water, how to read the soil instead of the calendar, and how to water so that every root gets its share.',
    publishedDate: '2026-04-21',
    readTimeMinutes: 7,
  },
  {
    id: 3,
    title: 'How to Keep Indoor Plants Thriving',
    slug: 'keep-indoor-plants-thriving',
    categoryId: 'plant-care',
    excerpt:
      'Light, air, potting mix, clean leaves and a ten-minute weekly check. What indoor plants need to grow well, and which popular habits you can drop.',
    publishedDate: '2026-06-09',
    readTimeMinutes: 6,
  },
  {
    id: 4,
    title: 'Winter Plant Care',
    slug: 'winter-plant-care',
    categoryId: 'seasonal-tips',
    excerpt:
      'Less light, dry air and cold glass change what houseplants need. How to adjust light, water, warmth and feeding, and how to protect pots outdoors.',
    publishedDate: '2025-11-18',
    readTimeMinutes: 8,
  },
  {
    id: 5,
    title: 'Understanding Plant Nutrition',
    slug: 'understanding-plant-nutrition',
    categoryId: 'plant-care',
    excerpt:
      'What the elements in fertilizer do, how to read the numbers on the label, which kind to choose, and how to feed potted plants without burning roots.',
    publishedDate: '2026-05-05',
    readTimeMinutes: 8,
  },
  {
    id: 6,
    title: 'Best Indoor Plants for Air Purification',
    slug: 'best-indoor-plants-air-purification',
    categoryId: 'indoor-plants',
    excerpt:
      'Do houseplants clean the air? A fair look at the famous NASA study, what really helps in a room, and the tested plants still worth growing.',
    publishedDate: '2026-09-15',
    readTimeMinutes: 6,
  },
];

/** The built-in articles. */
export const articles: readonly ArticleSummary[] = summaries.map((summary) => ({
  ...summary,
  imageUrl: articlePictureUrl(summary.slug),
}));
