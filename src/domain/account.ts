/** A stored token is valid only if it has three dot-separated parts (spec section 4, Session). */
export function isWellFormedToken(token: string): boolean {
  const parts = token.split('.');
  return parts.length === 3 && parts.every((part) => part !== '');
}

export interface SignInForm {
  email: string;
  password: string;
}

export type FormErrors<Form> = Partial<Record<keyof Form, string>>;

/** The sign-in form's messages (spec section 5); an empty object when nothing is wrong. */
export function checkSignIn(form: SignInForm): FormErrors<SignInForm> {
  const email = emailProblem(form.email);
  return {
    ...(email && { email }),
    ...(form.password === '' && { password: 'Password is required' }),
  };
}

export interface SignUpForm {
  name: string;
  email: string;
  password: string;
  confirmPassword: string;
  agreeToTerms: boolean;
}

/** The sign-up form's messages (spec section 5); an empty object when nothing is wrong. */
export function checkSignUp(form: SignUpForm): FormErrors<SignUpForm> {
  const name = personNameProblem(form.name);
  const email = emailProblem(form.email);
  const password = passwordProblem(form.password, 'Password must be at least 8 characters');
  const confirmPassword =
    form.confirmPassword === ''
      ? 'Please confirm your password'
      : confirmationProblem(form.password, form.confirmPassword);
  return {
    ...(name && { name }),
    ...(email && { email }),
    ...(password && { password }),
    ...(confirmPassword && { confirmPassword }),
    ...(!form.agreeToTerms && { agreeToTerms: 'You must agree to the terms' }),
  };
}

export interface ForgotPasswordForm {
  email: string;
}

/** The forgot-password form's message (spec section 5); an empty object when nothing is wrong. */
export function checkForgotPassword(form: ForgotPasswordForm): FormErrors<ForgotPasswordForm> {
  const email = emailProblem(form.email);
  return email ? { email } : {};
}

export interface ResetPasswordForm {
  /** From the emailed link. */
  token: string;
  password: string;
  confirmPassword: string;
}

/** The reset form's messages (spec section 5); an empty object when nothing is wrong. */
export function checkResetPassword(form: ResetPasswordForm): FormErrors<ResetPasswordForm> {
  const password = passwordProblem(form.password, 'Password must be at least 8 characters long');
  const confirmPassword = confirmationProblem(form.password, form.confirmPassword);
  return {
    ...(form.token === '' && { token: 'Invalid or missing reset token' }),
    ...(password && { password }),
    ...(confirmPassword && { confirmPassword }),
  };
}

export interface PasswordChangeForm {
  /** The current one. */
  password: string;
  newPassword: string;
  confirmPassword: string;
}

/** The messages of the form that changes the password; an empty object when nothing is wrong. */
export function checkPasswordChange(form: PasswordChangeForm): FormErrors<PasswordChangeForm> {
  const { newPassword: typed } = form;
  const newPassword = passwordProblem(typed, 'Password must be at least 8 characters long');
  const confirmPassword = confirmationProblem(typed, form.confirmPassword);
  return {
    ...(form.password === '' && { password: 'Password is required' }),
    ...(newPassword && { newPassword }),
    ...(confirmPassword && { confirmPassword }),
  };
}

export const minPasswordLength = 8;

/** How many characters each field can have. */
export const accountLimits = { name: 200, email: 320, password: 1024 } as const;

export type PasswordStrength = 'Weak' | 'Medium' | 'Strong';

/** For display only; null for an empty password (spec section 5, Password strength). */
export function passwordStrength(password: string): PasswordStrength | null {
  if (password === '') return null;
  if (password.length < minPasswordLength) return 'Weak';
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u];
  const present = kinds.filter((kind) => kind.test(password)).length;
  if (present <= 2) return 'Weak';
  return present === 3 ? 'Medium' : 'Strong';
}

function passwordProblem(password: string, tooShort: string): string | undefined {
  if (password === '') return 'Password is required';
  if (password.length < minPasswordLength) return tooShort;
  return lengthProblem(password, accountLimits.password);
}

function confirmationProblem(password: string, confirmation: string): string | undefined {
  return password === confirmation ? undefined : 'Passwords do not match';
}

/** The error for a person's name as typed, or undefined. */
export function personNameProblem(typed: string): string | undefined {
  const name = typed.trim();
  return name === '' ? 'Name is required' : lengthProblem(name, accountLimits.name);
}

function lengthProblem(text: string, max: number): string | undefined {
  return text.length > max ? `Must be at most ${max} characters` : undefined;
}

/** The error for an email address as typed, or undefined. */
export function emailProblem(typed: string): string | undefined {
  const email = typed.trim();
  if (email === '') return 'Email is required';
  // The length is checked first, because the regular expression takes quadratic time.
  const isValid = email.length <= accountLimits.email && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email);
  return isValid ? undefined : 'Please enter a valid email address';
}

/** Email addresses and usernames are compared in this form. */
export function normalizeIdentifier(identifier: string): string {
  return identifier.trim().toLowerCase();
}
