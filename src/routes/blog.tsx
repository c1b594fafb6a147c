import { createFileRoute } from '@tanstack/react-router';
import { ComingSoon } from '#features/landing/coming-soon.tsx';
import { visitorsOnly } from './-visitors-only.ts';

export const Route = createFileRoute('/blog')({
  beforeLoad: visitorsOnly,
  component: ComingSoon,
});
