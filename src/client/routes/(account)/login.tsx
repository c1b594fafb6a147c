import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/(account)/login')({
  beforeLoad: ({ location }) => {
    throw redirect({ href: `/signin${location.searchStr}` });
  },
});
