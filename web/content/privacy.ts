import type { Campus } from '#contract/campus.ts';
import type { TextSection } from './section.ts';

export const listPrivacySections = ({
  shortName,
  siteName,
  supportEmail,
}: Campus): readonly TextSection[] => [
  {
    title: 'What we keep',
    points: [
      'Your account: email address, name, role, and a password that is stored only as a hash. If you add a campus address, that one, too. For each device on which you are logged in, its browser and system, and when it was used. If you set up two-step verification, its key, encrypted.',
      'Your profile, if you fill it in: a short text and a picture.',
      'Your listings and photos. Place and camera data are removed from every photo before it is kept.',
      'Your conversations, so that both sides can read them again.',
      'What you follow: listings and searches you save, what you were notified about, and the browsers in which you turned on push notifications.',
      'Whom you blocked. They are not told.',
      'What you send through a form here: reports, questions, applications and requests.',
      'Security events of your account, such as log-ins, failed log-ins and changed passwords, with the time. Instead of the network address we keep a code made from it, which only tells us whether two events came from the same place.',
    ],
  },
  {
    title: 'What others see',
    paragraphs: [
      `Listings are public, with your display name, your picture and whether you are verified. Your profile page is public as well, but not listed by search engines: it shows your name, your picture, the short text about you, when you joined, how soon you usually reply, your listings, what others say about you in reviews, how many deals you completed and, if you are verified, your role. A review that you write is shown with your name. A campus address that you add is never shown. An email address or phone number is shown only where you put it on a listing yourself. Messages are seen by the two people in the conversation. Each of them also sees what the other has read, whether the other was active today or this week, and when the other is typing, unless one of them turns that off in the settings.`,
    ],
  },
  {
    title: 'What we use it for',
    paragraphs: [
      `To run ${siteName}: to sign you in, to show your listings, to deliver messages and to email you about them. You can turn off emails about new messages in your profile settings. We do not sell your data, share it with advertisers or show advertising.`,
    ],
  },
  {
    title: 'Automatic checks',
    paragraphs: [
      'Your browser looks for signs of scams in the messages you receive, and shows you a safety tip. Nothing about it is sent to us. The wording of a listing is checked when it is posted or changed; one that clearly offers a prohibited item is shown to a moderator, who decides about it.',
      'When an account starts many conversations with nearly the same message, it has to wait before it can start more. From a certain number on, a moderator is shown that message. No account and no message is removed automatically.',
    ],
  },
  {
    title: 'Cookies and browser storage',
    paragraphs: [
      'Your browser keeps your session, your choice of theme, and a mark that says you have been here before, so that the home page can show items for sale first. The mark is the same for everyone and is never sent to us. One cookie marks the browsers you logged in from, so that nobody who tries to guess your password or code can lock you out there; we store only a hash of it, for a year after your last log-in. There are no tracking cookies, and pages load nothing from other companies.',
      'Your browser also keeps what you have typed but not sent: unfinished listings with their photos, drafts of messages and forms, messages that wait for the connection, and which safety tips you have hidden. While you are logged in, it keeps them for up to 30 days, and shows them to you only. Logging out erases all of it. What you type without logging in is gone when you close the tab. So that you can read without a connection, the browser keeps copies of public pages and photos you have seen, for up to 7 days, and your recent searches. Logging out erases those, too.',
      'If you turn on push notifications, the maker of your browser carries them to your device. They are encrypted, so that only your browser can read them. Logging out ends them.',
    ],
  },
  {
    title: 'Payments',
    paragraphs: [
      'We do not process payments, so we never see a card number or a bank account. Never send one in a message, either.',
    ],
  },
  {
    title: 'How long we keep it',
    paragraphs: [
      'As long as you have an account. Inactive accounts may be deleted after 12 months. You can delete yours at any time with Delete Account in your profile settings: your listings, photos, profile and log-in are removed at once. Messages you sent and reviews you wrote stay with the people they are for, without your name, and forms you sent stay for a while (see below) without a link to your account.',
      'What you send through a form, with the resume of an application, is kept for two years after we have dealt with it. A conversation that was opened without sending a message is removed after 30 days.',
      'If you report a listing, a person or a message, moderators see your name and a copy of what you reported as it was then, for a message with the messages around it. The person it is about never learns who reported it. The copies stay even if they are changed or deleted, until two years after a moderator decided.',
      'A sign-up that is not confirmed is removed after 7 days, and a campus address that you add but do not verify after a day. Codes and links stop working within minutes, and a session ends 30 days after its last use. If an account is deleted while it is suspended, we keep a code made from its address, from which the address cannot be read, until the suspension would have ended, for two years at most, so that nobody returns under this address before. Security events are kept for 90 days.',
    ],
  },
  {
    title: 'Your rights',
    paragraphs: [
      'You can read and correct what we keep about you in your profile and its settings. Download my data, in the settings, gives you all of it as a file, and Delete Account removes it. If you can no longer log in, use Request Data Deletion below.',
      `Requests are answered within 30 days. For anything else about your data, write to ${supportEmail} from your ${shortName} address.`,
    ],
  },
];
