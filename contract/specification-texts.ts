/**
 * The texts that the specification quotes, grouped by the tests that see them on the screen. Each of these tests
 * collects what its screens show and fails if a text of its group is missing. Texts with placeholders are listed
 * without their variable parts.
 */

/** Texts of screens that e2e/tour.spec.ts opens, by area. */
export const screenTexts = {
  'home and categories': [
    'Home',
    'Game Day',
    'Merchandise',
    'Rentals',
    'My Listings',
    'Sign Up',
    'Search by item or category...',
    'Start Trading',
    'Explore Categories',
    'Game Day Exchange',
    'Tickets, Tailgate Passes & Gear',
    'Furniture & Essentials',
    'Recent Posts',
    'View All',
    'Categories',
    'For Students',
    'Company',
    '© 2024',
    'Game Day Marketplace',
    'Share and Save — Rent What You Need',
    'Show Your Trojan Pride',
    'Back to Home',
    'No items found',
    'Be the first to list an item in this category!',
    'Post an Item',
    'Show Only Available Now',
    'Verified Sellers Only',
    'Reset Filters',
    'Price: Low to High',
    'Date Posted',
    'Condition',
    'Location',
    'All Categories',
    'Tickets',
    'Tailgate Gear',
    'Parking Passes',
    '$0-$50',
    '$50-$100',
    '$100+',
    'This Week',
    'Next Week',
    'This Month',
    'For Rent',
    'Small',
    'Medium',
    'Large',
    'Oops! Page not found',
  ],
  'listings, people and search': [
    'Message Seller',
    'Sign in Required',
    'You need to be logged in to message sellers. Please sign in or create an account to continue.',
    'Log In',
    'Cancel',
    'Similar Items',
    'Report Listing',
    'Community Member',
    'Student',
    'Listing Not Found',
    "Sorry, we couldn't find that listing. It may have been sold or removed.",
    'Back to Marketplace',
    'Search Results',
    'No results found',
    'Browse All Listings',
    'Browse Game Day',
    'hoodie',
    'textbook',
    'bike',
  ],
  'account forms and articles': [
    'Log In',
    'Back to Log In',
    'Please enter your full name',
    'Please agree to the Terms and Privacy Policy',
    'Safety Tips',
    'Report a Concern',
    'Bug Report',
    'Safety Concern',
    'Feature Request',
    'Product Designer',
    'Campus Ambassador',
    'Apply Now',
    'January 2025',
    'Request Data Deletion',
    'Prohibited Items',
    'Academic Integrity',
    'Event Tickets',
    'Respectful Conduct',
    'Eligibility',
    'Please use your USC email address',
  ],
  'the profile': [
    'Edit Profile',
    'My Listings',
    'My Rentals',
    'Transaction History',
    'Settings',
    'Logout',
    'cannot be changed',
    'Save Changes',
    'Cancel',
    'Skip for now',
    'Student',
    'Alumni',
    'Staff',
  ],
  settings: ['Delete Account'],
  posting: [
    'Post Your Ad',
    'Post Ad',
    'Save as Draft',
    'Edit Your Listing',
    'Update Listing',
    'Validation failed',
  ],
  'own listings': [
    'Create New Listing',
    'Active',
    'Sold',
    'Rented',
    'Draft',
    'Mark as Draft',
    'Publish Item',
    'No rental listings yet',
  ],
  'saved items and notifications': ['Post Item', 'Messages', 'Logout'],
  messages: ['Type your message...', 'No conversations yet', 'Browse Listings'],
} as const satisfies Record<string, readonly string[]>;

/** Messages of the forms to log in, sign up and set a new password. */
export const accountTexts = [
  'Resend',
  'Completing sign in...',
  'Back to Sign Up',
  'Please enter a valid email address.',
  'Password must be at least 8 characters',
  'Password must contain letters and numbers',
  'Passwords do not match',
  'Please enter all 6 digits',
  'Please enter your password',
  'email addresses are allowed.',
  'Invalid reset link',
  'Failed to create authentication session',
  'No account found. Please sign up.',
  'Please verify your email. Check your inbox for the verification code.',
  'Invalid email or password',
  'Too many requests. Try again in a few minutes.',
  'Failed to log in. Please try again.',
  'Service unavailable, please retry shortly.',
  'Account already exists. Please log in.',
  'Failed to create account. Please try again.',
  'Verification code sent to your email!',
  'Invalid or expired code.',
  'Too many attempts. Request a new code.',
  'Verification failed. Please try again.',
  'Account verified successfully!',
  'Failed to resend code. Please try again.',
  'New verification code sent!',
  'Failed to send reset email. Please try again.',
  'email exists, a reset link has been sent.',
  'This link is invalid or has expired. Request a new reset email.',
  'Failed to reset password. Please try again.',
  'Password updated successfully!',
] as const;

/** Messages of the profile, its set-up and its picture. */
export const profileTexts = [
  'Create Your First Listing',
  'Your completed transactions will appear here',
  'Please complete all required fields',
  'Please select your role',
  'Please upload an image file',
  'Image must be less than 5MB',
  'Please select an image under 5MB',
  'Failed to upload avatar',
  'Could not upload image. Try again',
  'Avatar uploaded successfully',
  'Failed to remove avatar',
  'Avatar removed',
  'Profile updated',
  'We could not save your profile. Please try again',
  'Profile created',
  'Failed to load profile',
  'Setup failed',
  'Could not skip setup. Please try again',
] as const;

/** Messages of the public forms. */
export const publicFormTexts = [
  'Report Submitted',
  'Thank you for helping keep our community safe.',
  'Message Received!',
  'We will get back to you within 2 business days.',
  'Send Another Message',
  'Request Submitted',
  'We will process your data deletion request within 30 days.',
] as const;

/** What applicants read after they applied. */
export const applicationTexts = [
  'Application Submitted',
  "Thank you for your interest! We'll review your application and get back to you soon.",
] as const;

/** What a rental says about its period, and what categories without listings say. */
export const rentalTexts = ['flexible'] as const;
export const emptyCategoryTexts = [
  'No game day listings yet. Be the first to post!',
  'No merchandise listings available yet.',
  'No rental listings available yet.',
  'No furniture listings available yet.',
] as const;

/** Messages of conversations. */
export const conversationTexts = [
  'Select a conversation to start messaging',
  'No messages yet. Start the conversation!',
  'Please login to send messages',
  'Failed to load conversations',
  'Failed to load conversation',
  'Failed to send message',
] as const;

/** Messages of the listing form about its fields. */
export const listingFieldTexts = [
  'Please fix the errors before submitting',
  'Title must be at least 10 characters',
  'Title must be at most 80 characters',
  'Title cannot contain emojis',
  'Please select a category',
  'Please select a condition',
  'Price is required',
  'Price must be greater than 0',
  'Price can have at most 2 decimal places',
  'Description must be at least 40 characters',
  'Description must be at most 1000 characters',
  'Location is required',
  'Location must be at most 200 characters',
  'Invalid email address',
  'Invalid phone number format',
  'Phone number must be at least 10 digits',
  'At least one contact method (email or phone) is required',
  'Game date must be today or in the future',
] as const;

/** Messages of the listing form about saving. */
export const listingSavingTexts = [
  'Draft saved',
  'Listing updated',
  'Failed to load listing data',
  'Failed to save listing. Please try again.',
] as const;

/** Messages of the listing form about photos. */
export const listingPhotoTexts = [
  'Only JPG, JPEG, PNG, and WEBP images are allowed',
  'File size must be less than 10MB',
  'Too many photos',
  'Maximum 5 photos allowed',
  'Upload in progress',
  'Please wait for all photos to finish uploading',
  'Upload failed',
  'Failed to upload image. Please try again.',
  'Invalid file',
] as const;

/** Messages of My Listings. */
export const ownListingTexts = [
  'No active listings',
  'No draft listings',
  'Marked as draft',
  'Marked as active',
  'Listing deleted',
  'Failed to load your listings',
  'Failed to delete listing',
  'Failed to update listing',
] as const;

/** Messages of the server about requests that the forms never send. */
export const serverTexts = [
  'Not authenticated',
  'Invalid date format',
  'Price must be $0.00 for free items or greater than $0.00 for other categories',
  'Maximum 5 photos allowed',
  'You must provide either an email or phone number and a password',
] as const;
