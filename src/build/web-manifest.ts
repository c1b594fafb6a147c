import type { ManifestOptions } from 'vite-plugin-pwa';

/** The web app manifest, which describes the app to phones and desktops; the build writes it to a file. */
export const webManifest: Partial<ManifestOptions> = {
  id: '/',
  name: 'Sprig: plant care',
  short_name: 'Sprig',
  description: 'Your plants, their readings and their water, with or without a network.',
  lang: 'en',
  dir: 'ltr',
  start_url: '/dashboard',
  scope: '/',
  display: 'standalone',
  display_override: ['standalone', 'minimal-ui'],
  launch_handler: { client_mode: ['navigate-existing', 'focus-existing'] },
  orientation: 'any',
  categories: ['lifestyle', 'utilities'],
  // The colors --surface (header) and --paper of the light theme in ui/tokens.css. The theme-color tags of the pages
  // (head-tags.ts) also contain the dark header's color.
  theme_color: '#fffdf7',
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
