import { createFileRoute, redirect } from '@tanstack/react-router';
import { visitorsOnly } from './-visitors-only.ts';

export const Route = createFileRoute('/')({
  beforeLoad: () => {
    visitorsOnly();
    throw redirect({ to: '/landing' });
  },
});
