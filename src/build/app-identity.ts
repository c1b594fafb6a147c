import type { HtmlTagDescriptor } from 'vite';
import type { ManifestOptions } from 'vite-plugin-pwa';

// What the manifest and the head of every page both contain.
const shortName = 'Sprig';
const description = 'Your plants, their readings and their water, with or without a network.';

/** The header's color in both themes: --surface in ui/tokens.css. A manifest has only one, that of the light theme. */
const themeColors = { light: '#fffdf7', dark: '#18201b' };

/** The web app manifest, which describes the app to phones and desktops; the build writes it to a file. */
export const webManifest: Partial<ManifestOptions> = {
  id: '/',
  name: 'Sprig: plant care',
  short_name: shortName,
  description,
  lang: 'en',
  dir: 'ltr',
  start_url: '/dashboard',
  scope: '/',
  display: 'standalone',
  display_override: ['standalone', 'minimal-ui'],
  launch_handler: { client_mode: ['navigate-existing', 'focus-existing'] },
  orientation: 'any',
  categories: ['lifestyle', 'utilities'],
  theme_color: themeColors.light,
  // --paper of the light theme in ui/tokens.css.
  background_color: '#f6f4ec',
  icons: [
    { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
    {
      src: '/icons/icon-maskable-512.png',
      sizes: '512x512',
      type: 'image/png',
      purpose: 'maskable',
    },
    {
      src: '/icons/icon-monochrome-512.png',
      sizes: '512x512',
      type: 'image/png',
      purpose: 'monochrome',
    },
  ],
  shortcuts: [
    {
      name: 'Watering Schedule',
      short_name: 'Schedule',
      description: 'Which plant wants water when',
      url: '/dashboard/schedule',
      icons: [{ src: '/icons/shortcut-schedule-96.png', sizes: '96x96', type: 'image/png' }],
    },
    {
      name: 'Add New Plant',
      short_name: 'Add plant',
      description: 'Put another plant into your collection',
      url: '/dashboard?form=new',
      icons: [{ src: '/icons/shortcut-add-96.png', sizes: '96x96', type: 'image/png' }],
    },
  ],
  screenshots: [
    {
      src: '/screenshots/phone-light.png',
      sizes: '585x1266',
      type: 'image/png',
      form_factor: 'narrow',
      label: 'The garden on a phone: what needs water, and each plant with its readings',
    },
    {
      src: '/screenshots/phone-schedule.png',
      sizes: '585x1266',
      type: 'image/png',
      form_factor: 'narrow',
      label: 'The watering schedule, the most urgent plant first',
    },
    {
      src: '/screenshots/desk-light.png',
      sizes: '1440x900',
      type: 'image/png',
      form_factor: 'wide',
      label: 'The garden on a wide screen',
    },
  ],
};

/** The tags that are added to the head of every page. Its charset and title are in its HTML source. */
export const headTags: HtmlTagDescriptor[] = [
  meta('viewport', 'width=device-width, initial-scale=1, viewport-fit=cover'),
  meta('description', description),
  themeColor('light'),
  themeColor('dark'),
  meta('color-scheme', 'light dark'),
  meta('format-detection', 'telephone=no'),
  meta('mobile-web-app-capable', 'yes'),
  meta('apple-mobile-web-app-capable', 'yes'),
  meta('apple-mobile-web-app-status-bar-style', 'default'),
  meta('apple-mobile-web-app-title', shortName),
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
