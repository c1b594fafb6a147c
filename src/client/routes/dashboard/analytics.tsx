import { createFileRoute } from '@tanstack/react-router';
import { BrainCircuit, FileChartColumn, Sparkles, TrendingUp } from 'lucide-react';
import { PageTitle } from '#client/ui/layout/frame.tsx';
import { Preview } from '#client/ui/layout/preview.tsx';

export const Route = createFileRoute('/dashboard/analytics')({ component: Analytics });

const cards = [
  {
    name: 'Smart Predictions',
    text: 'Know days ahead when a plant will be thirsty, from how its soil has dried before.',
    Icon: Sparkles,
  },
  {
    name: 'Growth Optimization',
    text: 'Hints on light, water and warmth for each plant, drawn from its own readings.',
    Icon: TrendingUp,
  },
  {
    name: 'Advanced Reporting',
    text: 'How your plants did over weeks and seasons, in charts you can keep.',
    Icon: FileChartColumn,
  },
];

function Analytics() {
  return (
    <>
      <PageTitle title="AI Analytics" subtitle="What your plants' readings will tell you" />
      <Preview title="Coming Soon" Icon={BrainCircuit} cards={cards}>
        <p>We are working on analytics that learn from your plants.</p>
      </Preview>
    </>
  );
}
