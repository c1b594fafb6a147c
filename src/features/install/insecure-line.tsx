import { PageLine } from '#ui/page-line.tsx';

/** Over plain http everything works but what browsers keep for https; this says which. */
export function InsecureLine() {
  if (window.isSecureContext) return null;
  return (
    <PageLine>
      Opened without https: installing Sprig and starting it offline need an https address.
    </PageLine>
  );
}
