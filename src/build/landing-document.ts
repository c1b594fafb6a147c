/** What a landing page of its own is put together from. */
export interface LandingParts {
  /** The built index.html. */
  shell: string;
  /** React's static markup; what belongs into the head comes first. */
  markup: string;
  css: string;
  scriptUrl: string;
}

/** The shell without the app: markup and styles inline, so that the first paint waits for nothing else. Pure. */
export function landingDocument({ shell, markup, css, scriptUrl }: LandingParts): string {
  const bodyStart = markup.indexOf('<div');
  const head = [
    markup.slice(0, bodyStart),
    `<style>${css}</style>`,
    `<script type="module" crossorigin src="${scriptUrl}"></script>`,
  ].join('\n    ');
  return shell
    .replace(/<title>.*?<\/title>\s*/s, '')
    .replace(/<script\b[^>]*><\/script>\s*/g, '')
    .replace(/<link rel="(?:modulepreload|preload" as="script|stylesheet)"[^>]*>\s*/g, '')
    .replace(/<style>.*?<\/style>\s*/gs, '')
    .replace(/<noscript>.*?<\/noscript>\s*/s, '')
    .replace('</head>', () => `  ${head}\n  </head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${markup.slice(bodyStart)}</div>`);
}
