import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { openApp } from '../../../../support/component/open-app.tsx';

const headings = () => [...document.querySelectorAll('h1, h2, h3')].map((h) => h.textContent);

test('the landing page presents the product and links to every public page', async () => {
  await openApp('/landing');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(headings()).toEqual([
    'Smart Plant Care at Your Fingertips',
    'Everything a plant would ask for',
    'Smart Watering',
    'Sensor Monitoring',
    'Plant Health Tracking',
    'Plant Management',
    'How It Works',
    'Connect Device',
    'Monitor Plants',
    'Automate Care',
    'Your plants are waiting',
  ]);
  await expect.element(page.getByRole('figure')).toHaveTextContent('65% Optimal');
  const links = [...document.querySelectorAll('header a, main a, footer a')];
  expect(links.map((a) => [a.textContent?.trim(), a.getAttribute('href')])).toEqual([
    ['Sprig', '/landing'],
    ['Features', '/landing#features'],
    ['How It Works', '/landing#how-it-works'],
    ['Sign In', '/signin'],
    ['Sign Up', '/signup'],
    ['Get Started', '/signup'],
    ['Learn More', '#how-it-works'],
    ['Create Your Account', '/signup'],
    ['About Us', '/about-us'],
    ['Blog', '/blog'],
    ['Contact', '/contact'],
    ['Help Center', '/help-center'],
    ['Privacy Policy', '/privacy-policy'],
    ['Terms of Service', '/terms-of-service'],
  ]);
});

test.each([
  ['/about-us', 'About Us'],
  ['/blog', 'Blog'],
  ['/contact', 'Contact'],
  ['/privacy-policy', 'Privacy Policy'],
  ['/terms-of-service', 'Terms Of Service'],
  ['/help-center', 'Help Center'],
])('the placeholder at %s is titled %s and leads home', async (address, title) => {
  const app = await openApp(address);
  await expect.element(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  expect(document.title).toBe(`${title} · Sprig`);
  const label = page.getByRole('main').getByText('Coming Soon', { exact: true });
  await expect.element(label).toBeVisible();
  expect(headings()).toEqual([
    title,
    'What to Expect',
    'Enhanced Features',
    'Seamless Integration',
    'User-Focused Design',
  ]);
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect.poll(() => app.url()).toBe('/landing');
});
