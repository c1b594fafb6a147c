export interface Step {
  number: string;
  text: string;
}

/** 'headings' if the first step is a short title, followed by text of its own and by another step; otherwise 'list'. */
export type StepLook = 'list' | 'headings';

const step =
  /^\s*(?:(\*\*|__)step\s+(\d{1,2})\s*(?:[:.)]\s*\1|\1\s*:)|step\s+(\d{1,2})\s*(?:[:.)]|\s[–—-]\s))\s*(\S.*)$/i;
const boldStep = /^\s*(\*\*|__)step\s+(\d{1,2})\s*(?:[:.)]|\s[–—-]\s)\s*(\S.*?)\1\s*$/i;
const titleLength = 70;

/** Parses `Step 2: Loosen the roots`, plain, bold or partly bold; null for any other line. */
export function readStep(line: string): Step | null {
  const [, , boldNumber, boldText] = boldStep.exec(line) ?? [];
  if (boldNumber && boldText) return { number: boldNumber, text: boldText.trim() };
  const [, , marked, plain, text] = step.exec(line) ?? [];
  const number = marked ?? plain;
  return number && text ? { number, text } : null;
}

/** Decides at the first step of a sequence how all its steps are written. */
export function stepLook(first: Step, after: readonly string[]): StepLook {
  const next = after.find((line) => line.trim() !== '');
  if (next === undefined || readStep(next) || /^\s*#/.test(next)) return 'list';
  const isTitle = first.text.length <= titleLength && !/[.!?;,]$/.test(first.text);
  const hasSteps = after.some((line) => readStep(line) !== null);
  return isTitle && hasSteps ? 'headings' : 'list';
}

/** The step as Markdown. */
export function writeStep({ number, text }: Step, look: StepLook): string {
  return look === 'list' ? `${number}. ${text}` : `### Step ${number}: ${text.replace(/:$/, '')}`;
}
