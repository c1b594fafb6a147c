import { useAccount } from '#client/session/current.tsx';
import { changeName, loadBrowsers } from '#client/session/settings/profile.ts';
import { Banner } from '#client/ui/feedback/banner.tsx';
import { Field } from '#client/ui/form/field.tsx';
import { useLoaded } from '#client/ui/use-loaded.ts';
import { accountLimits, personNameProblem } from '#domain/account.ts';
import { SettingForm } from '../setting-form.tsx';
import { SettingsSection } from '../settings-section.tsx';
import { BrowserList } from './browser-list.tsx';
import { EmailForm } from './email-form.tsx';
import { PasswordForm } from './password-form.tsx';

/** The result of opening the confirmation link of an email change. */
export type EmailResult = 'confirmed' | 'invalid';

export function ProfileSection({
  emailResult,
  onDismissResult,
}: {
  emailResult: EmailResult | undefined;
  /** Called when the result is out of date, because another confirmation link was sent. */
  onDismissResult: () => void;
}) {
  const { username, email } = useAccount();
  const browsers = useLoaded(loadBrowsers);
  return (
    <SettingsSection id="profile" title="Profile">
      {emailResult === 'confirmed' && (
        <Banner look="success">Your new email address is confirmed.</Banner>
      )}
      {emailResult === 'invalid' && (
        <Banner look="error">
          This confirmation link has been used or has expired. If the new email address is not shown
          below, change it again to get a new link.
        </Banner>
      )}
      <SettingForm
        label="Name"
        saved={{ name: username }}
        check={({ name }) => {
          const problem = personNameProblem(name);
          return problem ? { name: problem } : {};
        }}
        onSave={({ name }) => changeName(name)}
      >
        {(field) => (
          <Field
            label="Name"
            autoComplete="name"
            enterKeyHint="done"
            maxLength={accountLimits.name}
            {...field('name')}
          />
        )}
      </SettingForm>
      <EmailForm email={email} onSent={onDismissResult} />
      <PasswordForm onChanged={() => void browsers.reload()} />
      <BrowserList browsers={browsers} />
    </SettingsSection>
  );
}
