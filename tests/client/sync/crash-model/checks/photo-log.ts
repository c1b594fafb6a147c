import type { SentOp } from './request-checks.ts';

/** The photos that one plant has on the server, computed from the recorded requests. */
export class PhotoLog {
  readonly ids = new Set<string>();
  /** Ids of the photos that were ever added. */
  readonly added = new Set<string>();

  /** Records the effect of a request about a photo. Returns a description if it violates a rule; otherwise null. */
  record({ op, path }: SentOp): string | null {
    const id = photoIdIn(path);
    if (op.type === 'remove_photo')
      return this.ids.delete(id) ? null : 'removed a photo that is not there';
    if (this.added.has(id)) return 'was added twice';
    this.ids.add(id);
    this.added.add(id);
    return null;
  }
}

/** The id in the path of a request about a photo. */
export function photoIdIn(path: string): string {
  return decodeURIComponent(path.split('?')[0]?.split('/')[3] ?? '');
}

/** The plant of a request that adds a photo; null for one that removes it. */
export function plantIdOfPhoto(path: string): string | null {
  return new URLSearchParams(path.split('?')[1]).get('plant_id');
}
