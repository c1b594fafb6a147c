/**
 * Copies of the app's colours and sizes (client/ui/tokens.css). This page cannot link that stylesheet, because its URL
 * changes with each build.
 */
const style = `
  :root { color-scheme: light dark; --ink: #1b2a21; --paper: #f6f4ec; --leaf: #1f6b45; --on-leaf: #ffffff; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #e8efe6; --paper: #101612; --leaf: #8ad0a0; --on-leaf: #0c2215; }
  }
  body { max-width: 28rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif;
    color: var(--ink); background: var(--paper); }
  h1 { font-family: ui-serif, Georgia, serif; font-size: 1.75rem; }
  button { min-height: 2.75rem; padding: 0 1.25rem; border: 0; border-radius: 999px; font: inherit; font-weight: 600;
    color: var(--on-leaf); background: var(--leaf); }
  a { display: inline-block; padding: 0.625rem 0; color: var(--leaf); }`;

/** A page without scripts, which any browser shows. `body`: HTML. */
export function unsubscribePage(body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Emails from Sprig</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<style>${style}
</style></head>
<body>
<main>
<h1>Sprig</h1>
${body}
<p><a href="/dashboard/settings">Settings</a></p>
</main>
</body>
</html>
`;
}
