import { SiteFrame } from '../site/site-frame.tsx';
import { CallToAction } from './call-to-action.tsx';
import { FeatureCards } from './feature-cards.tsx';
import { Hero } from './hero.tsx';
import { HowItWorks } from './how-it-works.tsx';

export function Landing() {
  return (
    <SiteFrame title="Sprig · Smart Plant Care">
      <Hero />
      <FeatureCards />
      <HowItWorks />
      <CallToAction />
    </SiteFrame>
  );
}
