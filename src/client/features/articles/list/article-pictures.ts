const files = import.meta.glob<string>('../pictures/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** The address of an article's picture, 1260×750. */
export function articlePictureUrl(slug: string): string {
  return files[`../pictures/${slug}.svg`] ?? '';
}
