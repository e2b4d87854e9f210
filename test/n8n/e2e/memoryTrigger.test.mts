/** The trigger as n8n polls by default. */
import { testTrigger } from './triggerTests.mts';

testTrigger('memory', 'durable');
