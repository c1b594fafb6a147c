import { createFileRoute } from '@tanstack/react-router';
import { CallToAction } from '#features/landing/call-to-action.tsx';
import { FeatureCards } from '#features/landing/feature-cards.tsx';
import { Hero } from '#features/landing/hero.tsx';
import { HowItWorks } from '#features/landing/how-it-works.tsx';
import { SiteFrame } from '#features/landing/site-frame.tsx';
import { visitorsOnly } from './-visitors-only.ts';

export const Route = createFileRoute('/landing')({
  beforeLoad: visitorsOnly,
  component: Landing,
});

function Landing() {
  return (
    <SiteFrame title="Sprig · Smart Plant Care">
      <Hero />
      <FeatureCards />
      <HowItWorks />
      <CallToAction />
    </SiteFrame>
  );
}
