import type { ComponentProps } from 'react';
import { Field } from '#client/ui/form/field.tsx';

export function EmailField(props: Omit<ComponentProps<typeof Field>, 'label' | 'type'>) {
  return (
    <Field
      label="Email address"
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}
