import { expect, test } from 'vitest';
import { returnSearch } from '#client/routes/-return-search.ts';

test.each([
  '/dashboard',
  '/dashboard/',
  '/dashboard?plant=monty',
  '/dashboard#top',
  '/dashboard/plants?plant=monty&tab=history',
  '/dashboard/plants/?form=new',
  '/dashboard/articles/winter-plant-care#section-light',
])('the person returns to %s after the sign-in', (from) => {
  expect(returnSearch({ from })).toEqual({ from });
});

test.each([
  '',
  '/',
  '/signin',
  '/dashboardish',
  '//elsewhere.example/dashboard',
  'https://elsewhere.example/dashboard',
  '/\\elsewhere.example/dashboard',
  '/dashboard//elsewhere.example',
  '/dashboard/\\elsewhere.example',
  '/dashboard/plants\\elsewhere.example',
  '/dashboard/..//elsewhere.example/dashboard',
  'javascript:alert(1)//dashboard',
  7,
  ['/dashboard'],
  undefined,
])('%j is not used as a screen to return to', (from) => {
  expect(returnSearch({ from })).toEqual({ from: undefined });
});
