import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tidyMarkdown } from '#client/features/articles/markdown/tidy-markdown.ts';
import { fc } from '../../../../support/properties.ts';
import { countOf } from '../../../../support/seeded.ts';

const content = path.join(
  import.meta.dirname,
  '../../../../../src/client/features/articles/content',
);

test.each<[what: string, loose: string, tidy: string]>([
  ['round bullets', '• One\n• Two', '- One\n- Two'],
  ['round bullets without a space', '•One\n●Two', '- One\n- Two'],
  [
    'other bullets',
    '▪ One\n◦ Two\n‣ Three\n· Four\n■ Five',
    '- One\n- Two\n- Three\n- Four\n- Five',
  ],
  ['en dashes', '– One\n– Two', '- One\n- Two'],
  ['em dashes below a sentence', 'You need:\n— a pot\n— soil', 'You need:\n\n- a pot\n- soil'],
  ['a dash inside a wrapped sentence', 'Water it\n– but not today.', 'Water it\n– but not today.'],
  ['hyphens without a space', '-One\n-Two', '- One\n- Two'],
  ['a temperature', '-5 °C is too cold', '-5 °C is too cold'],
  ['numbers with a bracket', '1) One\n2) Two', '1. One\n2. Two'],
  ['numbers in brackets', '(1) One\n(2) Two', '1. One\n2. Two'],
  ['numbers without a space', '1.One\n2.Two', '1. One\n2. Two'],
  ['a decimal', '1.5 litres', '1.5 litres'],
  [
    'a list below a sentence',
    'Choose:\n- One\n- Two\n\nThen go on.',
    'Choose:\n\n- One\n- Two\n\nThen go on.',
  ],
  ['a numbered list below a sentence', 'Do this:\n2) Two', 'Do this:\n\n2. Two'],
  ['tabs after the mark', '-\tOne\n•\tTwo\n1)\tThree', '- One\n- Two\n1. Three'],
  ['a list moved in by a tab', '\t- One\n\t- Two', '- One\n- Two'],
  ['a nested list', '• One\n\t• Inside\n• Two', '- One\n    - Inside\n- Two'],
  ['hard spaces', '\u00a0\u00a0•\u00a0One', '- One'],
  ['a space that must not break', '20\u00a0°C by day', '20\u00a0°C by day'],
  ['line ends of Windows', '• One\r\n• Two\r\n\r\nEnd\r', '- One\n- Two\n\nEnd\n'],
  ['a byte order mark', '\ufeff## Light', '## Light'],
  ['a heading without a space', '##Light\nText', '## Light\n\nText'],
  ['a heading between paragraphs', 'Text\n## Light\nText', 'Text\n\n## Light\n\nText'],
  ['a number sign', '#1 in every office', '#1 in every office'],
  ['steps', 'Step 1: Dig\nStep 2: Plant\nStep 3: Water', '1. Dig\n2. Plant\n3. Water'],
  ['steps in capitals', 'STEP 1. Dig\n\nSTEP 2. Plant', '1. Dig\n\n2. Plant'],
  ['steps with a dash', 'Step 1 – Dig\nStep 2 – Plant', '1. Dig\n2. Plant'],
  ['bold steps', '**Step 1:** Dig\n**Step 2**: Plant', '1. Dig\n2. Plant'],
  ['steps below a sentence', 'Do this\nStep 1: Dig\nStep 2: Plant', 'Do this\n\n1. Dig\n2. Plant'],
  [
    'steps with text of their own',
    'Step 1: Dig\nA hole.\nStep 2: Plant\nIn the hole.',
    '### Step 1: Dig\n\nA hole.\n\n### Step 2: Plant\n\nIn the hole.',
  ],
  [
    'bold titles of steps',
    '**Step 1: Dig**\nA hole.\n**Step 2: Plant**\nIn it.',
    '### Step 1: Dig\n\nA hole.\n\n### Step 2: Plant\n\nIn it.',
  ],
  ['a step in a sentence', 'Step 1 is the hardest', 'Step 1 is the hardest'],
  ['a tip', 'Text\nTip: Wait.\n\nText', 'Text\n\n> **Tip:** Wait.\n\nText'],
  ['a bold tip', '**Tip:** Wait.', '> **Tip:** Wait.'],
  ['a pro tip', '__Pro tip__: Wait.', '> **Tip:** Wait.'],
  ['a tip with a dash', 'TIP - Wait.', '> **Tip:** Wait.'],
  ['numbered tips', 'Tip 1: Wait.\nTip 2: Look.', '- Wait.\n- Look.'],
  ['a title of tips', 'Tips:\n• Wait\n• Look', '### Tips\n\n- Wait\n- Look'],
  ['a title of steps', '**STEPS:**\nStep 1: Dig\nStep 2: Plant', '### Steps\n\n1. Dig\n2. Plant'],
  ['a tip in a sentence', 'Tip the pot gently', 'Tip the pot gently'],
  [
    'a table below a sentence',
    'See:\n| a | b |\n| - | - |\n| 1 | 2 |\nEnd',
    'See:\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nEnd',
  ],
  ['code in a fence', '```\n• One\nStep 1: x\n##x\n```', '```\n• One\nStep 1: x\n##x\n```'],
])('an article with %s becomes well-formed Markdown', (_, loose, tidy) => {
  expect(tidyMarkdown(loose)).toBe(tidy);
});

test.each(fs.readdirSync(content))('tidying does not change the article %s', (name) => {
  const text = fs.readFileSync(path.join(content, name), 'utf8');
  expect(tidyMarkdown(text)).toBe(text);
});

const words = fc.constantFrom(
  'water',
  'Light and air',
  'it stays – mostly – dry',
  '**old leaves**',
  'N (10)',
);
const wellFormed = fc
  .array(
    fc.oneof(
      fc.array(words, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
      words.map((text) => `## ${text}`),
      fc
        .array(words, { minLength: 1, maxLength: 3 })
        .map((all) => all.map((text) => `- ${text}`).join('\n')),
      fc
        .array(words, { minLength: 1, maxLength: 3 })
        .map((all) => all.map((text, i) => `${i + 1}. ${text}\n   - ${text}`).join('\n')),
      words.map((text) => `> **Tip:** ${text}\n> ${text}`),
      words.map((text) => `| a | b |\n| --- | --- |\n| ${text} | x |`),
      fc.constantFrom('---', '* * *', '```js\n• x\n\n-x\n```'),
    ),
    { maxLength: 8 },
  )
  .map((blocks) => blocks.join('\n\n'));

test('well-formed Markdown is not changed', () => {
  fc.assert(
    fc.property(wellFormed, (text) => tidyMarkdown(text) === text),
    { numRuns: countOf('SPRIG_PROPERTY_RUNS', 500) },
  );
});

const pieces = fc.constantFrom(
  ...[
    '•',
    '–',
    '-',
    '*',
    '1)',
    '(2)',
    '3.',
    '#',
    '##',
    '>',
    '|',
    '```',
    '**',
    'Step 1:',
    'step 2 -',
    'Tip:',
    'Tips:',
  ],
  ...[
    'tip 3.',
    'a',
    'Text',
    '5',
    ':',
    '.',
    ' ',
    '  ',
    '    ',
    '\t',
    '\u00a0',
    '\u200b',
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    '\ufeff',
  ],
);

test('tidying Markdown a second time changes nothing', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      const once = tidyMarkdown(parts.join(''));
      expect(tidyMarkdown(once)).toBe(once);
    }),
    { numRuns: countOf('SPRIG_PROPERTY_RUNS', 5000) },
  );
});
