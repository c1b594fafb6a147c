import type { PictureName } from '#domain/plant/picture.ts';

const files = import.meta.glob<string>('./pictures/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** The URL of a plant's picture, 1260×750. */
export function pictureUrl(name: PictureName): string {
  return files[`./pictures/${name}.svg`] ?? '';
}
