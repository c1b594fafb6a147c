/** What the shell for the sign-in's address is put together from. */
export interface SignInParts {
  /** The built index.html. */
  shell: string;
  /** React's static markup; what belongs into the head comes first. */
  markup: string;
  css: string;
}

/**
 * The shell with a picture of the form, which the app takes away once its own stands there. Nobody can type into it,
 * nor a browser fill it in: what is typed before the app runs would be lost. Pure.
 */
export function signInDocument({ shell, markup, css }: SignInParts): string {
  const picture = markup
    .slice(markup.indexOf('<div'))
    .replace(/ (?:id|for|name|autocomplete)="[^"]*"| type="(?:email|password)"/gi, '');
  const host = [
    '<div id="first-paint" inert aria-hidden="true"><template shadowrootmode="closed">',
    `<style>${css}</style>${picture}`,
    '</template></div>',
  ].join('');
  return shell
    .replace('</head>', `  ${withoutScripts}\n  </head>`)
    .replace('<div id="root"></div>', (root) => `${root}\n    ${host}`);
}

/** A form that will never come is not to hide that scripts are needed. */
const withoutScripts = '<noscript><style>#first-paint{display:none}</style></noscript>';
