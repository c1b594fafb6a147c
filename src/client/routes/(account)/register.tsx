import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/(account)/register')({
  beforeLoad: ({ location }) => {
    throw redirect({ href: `/signup${location.searchStr}` });
  },
});
