import { useState } from 'react';
import { changePassword } from '#client/session/settings/profile.ts';
import { Banner } from '#client/ui/feedback/banner.tsx';
import { textField, useForm } from '#client/ui/form/use-form.ts';
import { checkPasswordChange } from '#domain/account.ts';
import { PasswordField, PasswordStrengthLabel } from '../../account/form/account-form.tsx';
import { OpenableForm } from '../openable-form.tsx';

const empty = { password: '', newPassword: '', confirmPassword: '' };

export function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const form = useForm({
    initial: empty,
    check: checkPasswordChange,
    submit: async ({ password, newPassword }) => {
      await changePassword(password, newPassword);
      setChanged(true);
      close();
      onChanged();
    },
  });
  function close(): void {
    form.change('password', '');
    form.change('newPassword', '');
    form.change('confirmPassword', '');
    setOpen(false);
  }
  return (
    <OpenableForm
      title="Password"
      openText="Change password"
      isOpen={isOpen}
      onOpen={() => {
        setChanged(false);
        setOpen(true);
      }}
      onClose={close}
      form={form}
      submitText="Change password"
      busyText="Saving..."
      ifUnknown="No answer. If your current password is not accepted any more, the new one is in use."
      result={
        isChanged && (
          <Banner look="success">Password changed. All other browsers are signed out.</Banner>
        )
      }
    >
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        enterKeyHint="next"
        {...textField(form, 'password')}
      />
      <div>
        <PasswordField
          label="New password"
          autoComplete="new-password"
          enterKeyHint="next"
          {...textField(form, 'newPassword')}
        />
        <PasswordStrengthLabel password={form.values.newPassword} />
      </div>
      <PasswordField
        label="Confirm new password"
        autoComplete="new-password"
        enterKeyHint="done"
        {...textField(form, 'confirmPassword')}
      />
    </OpenableForm>
  );
}
