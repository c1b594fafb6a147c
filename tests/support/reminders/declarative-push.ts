/**
 * Null if WebKit shows the notification of this message by itself, otherwise the reason why not. WebKit rejects a
 * message if a known member has the wrong type, and ignores unknown members.
 */
export function declarativeProblem(text: string): string | null {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return 'not JSON';
  }
  if (!isObject(message)) return 'not an object';
  if (message.web_push !== 8030) return 'web_push';
  if (!isObject(message.notification)) return 'notification';
  const { notification } = message;
  const wrong = Object.entries(members).find(
    ([name, isValid]) => name in notification && !isValid(notification[name]),
  );
  if (wrong) return wrong[0];
  return ['title', 'navigate'].find((name) => !(name in notification)) ?? null;
}

const isText = (value: unknown) => typeof value === 'string';
const isUrl = (value: unknown) => typeof value === 'string' && URL.canParse(value);
const isFlag = (value: unknown) => typeof value === 'boolean';

const members: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: (value) => typeof value === 'string' && value !== '',
  navigate: isUrl,
  dir: (value) => ['auto', 'ltr', 'rtl'].includes(String(value)),
  lang: isText,
  body: isText,
  tag: isText,
  icon: isUrl,
  silent: isFlag,
  mutable: isFlag,
  app_badge: (value) =>
    (typeof value === 'number' && Number.isInteger(value) && value >= 0) ||
    (typeof value === 'string' && /^\d+$/.test(value)),
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
