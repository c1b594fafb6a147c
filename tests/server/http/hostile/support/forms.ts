import { tinyJpeg } from '../../../../support/photos/jpeg.ts';
import type { Random } from '../../../../support/seeded.ts';
import type { HostileBody } from './bodies.ts';

export const formType = 'multipart/form-data; boundary=form';

/** Whether a route accepts a form and no JSON. */
export function acceptsForm({ method, path }: { method: string; path: string }): boolean {
  return method === 'PUT' && path.endsWith('/photos/:id');
}

/** A query with which a photo of the plant can be sent. */
export function photoQuery(plantId: string): string {
  return `?plant_id=${plantId}&taken_at=2026-11-20T08:00:00Z`;
}

export function plainForm(): Buffer {
  const part = (name: string) =>
    Buffer.concat([
      Buffer.from(
        `--form\r\nContent-Disposition: form-data; name="${name}"; filename="x.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`,
      ),
      tinyJpeg(),
      Buffer.from('\r\n'),
    ]);
  return Buffer.concat([part('full'), part('small'), Buffer.from('--form--\r\n')]);
}

/** A form with something missing, changed, repeated or too long. */
export function hostileForm(random: Random): HostileBody {
  const form = plainForm();
  const make = random.pick<() => Buffer>([
    () => form.subarray(0, random.below(form.length)),
    () => Buffer.concat([form, form]),
    () => Buffer.concat([form.subarray(0, 200), form.subarray(200 + random.below(100))]),
    () => Buffer.from(form.toString('latin1').replaceAll('full', 'f\0ull'), 'latin1'),
    () => Buffer.from(form.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
    () => Buffer.from(form.toString('latin1').replaceAll('x.jpg', '../../x'.repeat(999)), 'latin1'),
    () => Buffer.from('--form\r\n'.repeat(20_000)),
    () => Buffer.concat(Array.from({ length: 2_000 }, () => form.subarray(0, -10))),
  ]);
  const bytes = Buffer.from(make());
  for (let n = random.below(4); n > 0 && bytes.length > 0; n -= 1) {
    bytes[random.below(bytes.length)] = random.below(256);
  }
  return { bytes };
}
