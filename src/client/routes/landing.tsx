import { createFileRoute } from '@tanstack/react-router';
import { Landing } from '#client/features/landing/page/landing.tsx';
import { visitorsOnly } from './-visitors-only.ts';

/** The landing page when it is opened from within the app. The server serves the same page prerendered. */
export const Route = createFileRoute('/landing')({
  beforeLoad: visitorsOnly,
  component: Landing,
});
