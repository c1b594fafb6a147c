import { expect, test } from 'vitest';
import { help, readArgs } from '#simulator/options.ts';

function read(line: string) {
  return readArgs(line.split(' ').filter(Boolean));
}

test('without options twelve plants of the demo account run in real time', () => {
  expect(read('')).toEqual({
    type: 'run',
    options: {
      url: 'http://127.0.0.1:3000',
      email: 'demo@sprig.local',
      password: 'demo-garden',
      plants: 12,
      speed: 1,
      forMs: null,
      load: null,
      dropout: 0.02,
      stuck: 0,
      emptyTank: 0,
      seed: 1,
    },
  });
});

test('every option is read', () => {
  const line =
    '--url https://sprig.example.org/ --email me@example.org --password=secret --plants 20 --speed 2.5 --for 10m --dropout 0.5 --stuck 3 --empty-tank 20 --seed 42 --devices 200';
  expect(read(line)).toEqual({
    type: 'run',
    options: {
      url: 'https://sprig.example.org',
      email: 'me@example.org',
      password: 'secret',
      plants: 20,
      speed: 2.5,
      forMs: 600_000,
      load: 200,
      dropout: 0.5,
      stuck: 3,
      emptyTank: 20,
      seed: 42,
    },
  });
});

test.each([
  ['30s', 30_000],
  ['10m', 600_000],
  ['2h', 7_200_000],
])('--for %s is read as %i ms', (time, forMs) => {
  expect(read(`--for ${time}`)).toMatchObject({ options: { forMs } });
});

test.each([
  ['--plants 0', '--plants must be a whole number from 1 to 100, not '],
  ['--plants 1.5', '--plants'],
  ['--plants 1e1', '--plants'],
  ['--plants many', "not 'many'"],
  ['--speed 0.5', '--speed must be a number from 1'],
  ['--dropout 1.1', '--dropout'],
  ['--dropout=-1', '--dropout'],
  ['--plants 3 --stuck 4', '--stuck must be a whole number from 0 to 3'],
  ['--plants 3 --empty-tank 4', '--empty-tank'],
  ['--devices 0', '--devices'],
  ['--for 10', '--for must be a time such as 30s, 10m or 2h'],
  ['--for 0s', '--for'],
  ['--for 1000h', '--for'],
  ['--url 127.0.0.1:3000', '--url must be a URL'],
  ['--url ftp://example.org', '--url'],
  ['--seed x', '--seed'],
  ['--speedy 600', '--speedy'],
  ['--plants', '--plants'],
  ['12', "'12'"],
])('%s is rejected with an explanation', (line, words) => {
  expect(read(line)).toEqual({ type: 'problem', message: expect.stringContaining(words) });
});

test('the help names every option', () => {
  expect(read('--help')).toEqual({ type: 'help' });
  for (const name of ['url', 'email', 'password', 'plants', 'speed', 'for', 'dropout']) {
    expect(help).toContain(`--${name} `);
  }
  for (const name of ['stuck', 'empty-tank', 'seed', 'devices', 'help']) {
    expect(help).toContain(`--${name} `);
  }
});
