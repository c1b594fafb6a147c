import { RouterProvider } from '@tanstack/react-router';
import { useSession } from '#client/session/current.tsx';
import { Spinner } from '#client/ui/feedback/spinner.tsx';
import { router } from './router.tsx';

/** No route is decided before it is known who is here. */
export function App() {
  const isLoading = useSession().status === 'loading';
  return isLoading ? <Spinner label="Loading..." /> : <RouterProvider router={router} />;
}
