import { expect, test } from 'vitest';
import { contactOf } from '#server/reminders/options.ts';

const neutral = 'mailto:nobody@example.org';

test.each([
  ['a@plants.org', 'https://plants.org', 'mailto:a@plants.org'],
  [null, 'https://plants.org', 'https://plants.org'],
  [null, 'https://plants.org/garden', 'https://plants.org/garden'],
  ['a@localhost', 'https://plants.org', 'https://plants.org'],
  ['a@greenhouse', null, neutral],
  [null, 'http://plants.org', neutral],
  [null, 'https://localhost:3000', neutral],
  [null, 'https://garden.localhost', neutral],
  [null, null, neutral],
])(
  'with MAIL_FROM=%s and PUBLIC_URL=%s, the contact for push services is %s',
  (mailFrom, publicUrl, contact) => {
    expect(contactOf({ mailFrom, publicUrl })).toBe(contact);
  },
);
