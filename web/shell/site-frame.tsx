import type { ReactNode } from 'react';
import type { AnnouncementSchedule } from '#contract/announcements.ts';
import { pageRootAttributes } from '#web/ui/inert-page.tsx';
import { Toaster } from '#web/ui/toaster.tsx';
import { AnnouncementBanner } from './announcement-banner.tsx';
import type { SessionState } from './session-state.ts';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';
import { SiteNavigation } from './site-navigation.tsx';

export interface SiteFrameProps {
  siteName: string;
  campusShortName: string;
  announcement: AnnouncementSchedule['current'];
  session: SessionState;
  unreadCount: number;
  notificationCount: number;
  onLogout: () => void;
  /** Whether the screen begins with a photo on phones, instead of the header (app.css). */
  isPhotoFirst?: boolean | undefined;
  /** The content of the screen, rendered inside `<main>`. */
  children: ReactNode;
}

/**
 * The frame of every screen: skip link, header, navigation, `<main>`, footer and toasts. Its bottom
 * padding reserves space for the bars that are pinned to the bottom of the window.
 */
export function SiteFrame({
  siteName,
  campusShortName,
  announcement,
  session,
  unreadCount,
  notificationCount,
  onLogout,
  isPhotoFirst,
  children,
}: SiteFrameProps) {
  return (
    <div
      {...pageRootAttributes}
      data-photo-first={isPhotoFirst ? '' : undefined}
      className="flex min-h-dvh flex-col pb-[calc(var(--bottom-bar-height)+var(--action-bar-height))]"
    >
      <a
        href="#main"
        className="fixed top-2 left-2 z-60 -translate-y-24 rounded-md bg-gold px-5 py-3 font-bold text-on-gold focus:translate-y-0"
      >
        Skip to main content
      </a>
      <p data-outdated-notice className="bg-gold-soft px-4 py-2 text-center text-gold-text text-sm">
        {`This browser is too old for ${siteName}. Please update it or use another one.`}
      </p>
      {announcement && <AnnouncementBanner key={announcement.ends_at} announcement={announcement} />}
      <SiteHeader
        siteName={siteName}
        session={session}
        unreadCount={unreadCount}
        notificationCount={notificationCount}
        onLogout={onLogout}
      />
      <SiteNavigation session={session} unreadCount={unreadCount} />
      <main id="main" tabIndex={-1} className="flex flex-1 flex-col outline-none">
        {children}
      </main>
      <SiteFooter siteName={siteName} campusShortName={campusShortName} />
      <Toaster />
    </div>
  );
}
