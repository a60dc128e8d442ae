import { ShieldCheck } from 'lucide-react';

const tips = [
  'Meet in a public, well-lit place on campus',
  'Tell a friend where you are going',
  'Inspect the item before you pay',
  'Keep the conversation on this site',
];

export function SafetyTips() {
  return (
    <section aria-labelledby="safety" className="rounded-lg bg-lawn-soft p-5 md:p-6">
      <h2 id="safety" className="flex items-center gap-2 font-bold text-lawn-text text-lg">
        <ShieldCheck aria-hidden="true" className="size-5" />
        Safety Tips
      </h2>
      <ul className="mt-2 list-disc space-y-1 pl-5 text-sm">
        {tips.map((tip) => (
          <li key={tip}>{tip}</li>
        ))}
      </ul>
    </section>
  );
}
