/** A stored token counts only if it has three dot-separated parts (spec section 4, Session). */
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

/** What is wrong with an e-mail address as a person typed it, or undefined. */
export function emailProblem(typed: string): string | undefined {
  const email = typed.trim();
  if (email === '') return 'Email is required';
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)
    ? undefined
    : 'Please enter a valid email address';
}

/** One spelling per account: what an e-mail or username is compared by. */
export function normalizeIdentifier(identifier: string): string {
  return identifier.trim().toLowerCase();
}
