import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/register')({
  beforeLoad: ({ location }) => {
    throw redirect({ href: `/signup${location.searchStr}` });
  },
});
