import '#web/styles/app.css';
import '#web/styles/forced-colors.css';
