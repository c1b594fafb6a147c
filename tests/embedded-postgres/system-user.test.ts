import { expect, test } from 'vitest';
import { nobodyIn, runAs } from '#embedded-postgres/cluster/system-user.ts';
import { EmbeddedPostgresError } from '#embedded-postgres/embedded-postgres-error.ts';

test('the user nobody is found by name, with any uid', () => {
  const passwd = 'root:x:0:0::/root:/bin/sh\nnobody:x:99:98::/:/sbin/nologin\n';
  expect(nobodyIn(passwd)).toEqual({ uid: 99, gid: 98 });
});

test('the negative uid of nobody on macOS is unsigned for files and signed for processes', () => {
  const nobody = nobodyIn('# comment\nnobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false');
  expect(nobody).toEqual({ uid: 4294967294, gid: 4294967294 });
  expect(runAs(nobody)).toEqual({ uid: -2, gid: -2 });
});

test('a system without the user nobody gets an EmbeddedPostgresError', () => {
  expect(() => nobodyIn('root:x:0:0::/root:/bin/sh\n')).toThrow(EmbeddedPostgresError);
});
