import type { HtmlTagDescriptor } from 'vite';

const themeColors = { light: '#fffdf7', dark: '#18201b' };

/** The tags that are added to the head of every page. Its charset and title are in its HTML source. */
export const headTags: HtmlTagDescriptor[] = [
  meta('viewport', 'width=device-width, initial-scale=1, viewport-fit=cover'),
  meta('description', 'Your plants, their readings and their water, with or without a network.'),
  themeColor('light'),
  themeColor('dark'),
  meta('color-scheme', 'light dark'),
  meta('format-detection', 'telephone=no'),
  meta('mobile-web-app-capable', 'yes'),
  meta('apple-mobile-web-app-capable', 'yes'),
  meta('apple-mobile-web-app-status-bar-style', 'default'),
  meta('apple-mobile-web-app-title', 'Sprig'),
  link({ rel: 'icon', href: '/icons/favicon.svg', type: 'image/svg+xml' }),
  link({ rel: 'apple-touch-icon', href: '/icons/apple-touch-icon.png' }),
];

function meta(name: string, content: string): HtmlTagDescriptor {
  return { tag: 'meta', attrs: { name, content }, injectTo: 'head' };
}

function themeColor(scheme: keyof typeof themeColors): HtmlTagDescriptor {
  const media = `(prefers-color-scheme: ${scheme})`;
  const attrs = { name: 'theme-color', content: themeColors[scheme], media };
  return { tag: 'meta', attrs, injectTo: 'head' };
}

function link(attrs: Record<string, string>): HtmlTagDescriptor {
  return { tag: 'link', attrs, injectTo: 'head' };
}
