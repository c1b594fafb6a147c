import { createFileRoute } from '@tanstack/react-router';
import { ComingSoon } from '#client/features/landing/site/coming-soon.tsx';
import { visitorsOnly } from '../-visitors-only.ts';

export const Route = createFileRoute('/(coming-soon)/blog')({
  beforeLoad: visitorsOnly,
  component: ComingSoon,
});
