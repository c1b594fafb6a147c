import * as v from 'valibot';
import { type ApiRequest, request } from './request.ts';

export const authPaths = {
  login: '/auth/login',
  logout: '/auth/logout',
  me: '/auth/me',
} as const;

export interface LoginPayload {
  username_or_email: string;
  password: string;
  rememberMe: boolean;
}

export const loginPayloadSchema: v.GenericSchema<unknown, LoginPayload> = v.object({
  username_or_email: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(320)),
  password: v.pipe(v.string(), v.minLength(1), v.maxLength(1024)),
  rememberMe: v.optional(v.boolean(), false),
});

export interface LoginAnswer {
  access_token: string;
}

export const loginAnswerSchema: v.GenericSchema<unknown, LoginAnswer> = v.looseObject({
  access_token: v.pipe(v.string(), v.minLength(1)),
});

export interface User {
  username: string;
  email: string;
  is_verified: boolean;
}

export const userSchema: v.GenericSchema<unknown, User> = v.object({
  username: v.string(),
  email: v.string(),
  is_verified: v.boolean(),
});

export function loginRequest(payload: LoginPayload): ApiRequest {
  return request('POST', authPaths.login, { body: payload });
}

export function logoutRequest(): ApiRequest {
  return request('POST', authPaths.logout);
}

export function currentUserRequest(): ApiRequest {
  return request('GET', authPaths.me);
}
