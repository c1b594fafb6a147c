import { createFileRoute } from '@tanstack/react-router';
import { Landing } from '#client/features/landing/page/landing.tsx';
import { visitorsOnly } from './-visitors-only.ts';

/** Within the app; a browser that comes from elsewhere gets the same page prerendered. */
export const Route = createFileRoute('/landing')({
  beforeLoad: visitorsOnly,
  component: Landing,
});
